// Figures as people read them, the same in the table of a run and in the pages.

export function formatFigure(figure: number): string {
  return figure.toLocaleString('en', { maximumFractionDigits: figure < 10 ? 2 : 0 });
}

export function formatRatio(ratio: number | null): string {
  if (ratio === null) return '–';
  return ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0);
}
