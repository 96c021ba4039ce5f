// Sets the light or dark theme before the first paint. Afterwards, the panel controls it (src/theme/theme.ts).
(() => {
  const chosen = localStorage.getItem('galley-color-scheme');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
