// Chooses light or dark before anything is painted. The panel itself takes over from there (src/theme/color-scheme.ts).
(() => {
  const chosen = localStorage.getItem('galley-color-scheme');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
