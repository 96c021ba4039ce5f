// Renders a grouped bar chart as SVG for the docs, with no script and separate colours for light and dark mode.

export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  /** The unit of the value axis. */
  readonly unit: string;
  readonly scale: 'linear' | 'log';
  /** The data series, in the order of the bars within a group. */
  readonly series: readonly ChartSeries[];
  readonly groups: readonly ChartGroup[];
}

export interface ChartSeries {
  readonly name: string;
  readonly tone: Tone;
}

export interface ChartGroup {
  readonly label: string;
  /** One value per series; null leaves its position empty. */
  readonly values: readonly (number | null)[];
}

type Tone = keyof typeof TONES;

/** Colours for light and dark backgrounds. */
const TONES = {
  grey: ['#9a9a94', '#83837d'],
  blue: ['#2a78d6', '#3987e5'],
  paleblue: ['#86b6ef', '#9ec5f4'],
  aqua: ['#1baf7a', '#199e70'],
  orange: ['#eb6834', '#d95926'],
  violet: ['#4a3aa7', '#9085e9'],
  paleorange: ['#f5b498', '#f0a484'],
} as const;

const WIDTH = 880;
const HEIGHT = 410;
const PLOT = { left: 72, right: 24, top: 122, bottom: 48 } as const;
const PLOT_WIDTH = WIDTH - PLOT.left - PLOT.right;
const PLOT_HEIGHT = HEIGHT - PLOT.top - PLOT.bottom;
/** The share of a group's width that its bars take up together. */
const BARS_SHARE = 0.8;
const WIDEST_BAR = 56;
const BAR_GAP = 2;
const CORNER = 3;
const LETTER_WIDTH = 6.6;

export function renderChart(chart: Chart): string {
  const axis = buildAxis(
    chart.groups.flatMap(({ values }) => values.filter((value) => value !== null)),
    chart.scale,
  );
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
    `<title id="title">${escapeMarkup(`${chart.title}. ${describeValues(chart)}`)}</title>`,
    renderStyle(),
    `<rect class="card" width="${WIDTH}" height="${HEIGHT}" rx="8"/>`,
    `<text class="title" x="24" y="34">${escapeMarkup(chart.title)}</text>`,
    `<text class="note" x="24" y="54">${escapeMarkup(chart.subtitle)}</text>`,
    ...renderLegend(chart.series),
    ...renderTicks(axis),
    `<text class="note" x="${PLOT.left}" y="${PLOT.top - 14}">${escapeMarkup(chart.unit)}</text>`,
    ...chart.groups.flatMap((group, index) => renderGroup(chart, group, index, axis)),
    `<line class="foot" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${HEIGHT - PLOT.bottom}" y2="${HEIGHT - PLOT.bottom}"/>`,
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function renderStyle(): string {
  const fills = (side: 0 | 1): string =>
    Object.entries(TONES)
      .map(([tone, colours]) => `.${tone}{fill:${colours[side]}}`)
      .join('');
  return [
    '<style>',
    'text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#52514e}',
    '.title{font-size:16px;font-weight:600;fill:#0b0b0b}.note{fill:#74736e}.value{font-size:11px}.label{fill:#0b0b0b}',
    '.card{fill:#fcfcfb;stroke:#e3e2dd}.grid{stroke:#e8e7e2}.foot{stroke:#b5b4ae}',
    fills(0),
    '@media (prefers-color-scheme: dark){',
    'text{fill:#c3c2b7}.title,.label{fill:#fff}.note{fill:#9a998f}',
    '.card{fill:#1a1a19;stroke:#33332f}.grid{stroke:#2e2e2b}.foot{stroke:#5c5c56}',
    `${fills(1)}}`,
    '</style>',
  ].join('\n');
}

function renderLegend(series: readonly ChartSeries[]): readonly string[] {
  let x = 24;
  return series.map(({ name, tone }) => {
    const at = x;
    x += 36 + name.length * LETTER_WIDTH;
    return `<rect class="${tone}" x="${at}" y="69" width="11" height="11" rx="2"/><text x="${at + 17}" y="79">${escapeMarkup(name)}</text>`;
  });
}

function renderTicks({ ticks, place }: Axis): readonly string[] {
  return ticks.map((tick) => {
    const y = round(HEIGHT - PLOT.bottom - place(tick) * PLOT_HEIGHT);
    const line = `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y}" y2="${y}"/>`;
    return `${line}<text x="${PLOT.left - 8}" y="${y + 4}" text-anchor="end">${formatTick(tick)}</text>`;
  });
}

function renderGroup(chart: Chart, group: ChartGroup, index: number, axis: Axis): readonly string[] {
  const width = PLOT_WIDTH / chart.groups.length;
  const bar = Math.min(WIDEST_BAR, (width * BARS_SHARE) / chart.series.length);
  const middle = PLOT.left + width * (index + 0.5);
  const foot = HEIGHT - PLOT.bottom;
  const bars = chart.series.flatMap(({ tone }, place) => {
    const value = group.values[place] ?? null;
    return value === null ? [] : [{ tone, value }];
  });
  const start = middle - (bar * bars.length) / 2;
  return [
    ...bars.flatMap(({ tone, value }, place) => {
      const height = axis.place(value) * PLOT_HEIGHT;
      const x = round(start + place * bar + BAR_GAP / 2);
      const labelX = round(x + (bar - BAR_GAP) / 2);
      const label = `<text class="value" x="${labelX}" y="${round(foot - height - 5)}" text-anchor="middle">`;
      return [renderBar(x, foot, round(bar - BAR_GAP), height, tone), `${label}${formatValue(value)}</text>`];
    }),
    `<text class="label" x="${round(middle)}" y="${foot + 20}" text-anchor="middle">${escapeMarkup(group.label)}</text>`,
  ];
}

/** Rounded at the top, flat at the bottom. */
function renderBar(x: number, foot: number, width: number, height: number, tone: Tone): string {
  const corner = Math.min(CORNER, height, width / 2);
  const top = round(foot - height);
  return `<path class="${tone}" d="M${x} ${foot}V${round(top + corner)}Q${x} ${top} ${round(x + corner)} ${top}H${round(x + width - corner)}Q${round(x + width)} ${top} ${round(x + width)} ${round(top + corner)}V${foot}Z"/>`;
}

function describeValues({ series, groups, unit }: Chart): string {
  const texts = groups.map(({ label, values }) => {
    const each = values.flatMap((value, place) =>
      value === null ? [] : `${series[place]?.name} ${formatValue(value)}`,
    );
    return `${label}: ${each.join(', ')}`;
  });
  return `${unit}. ${texts.join('. ')}.`;
}

/** Short enough to fit above a bar. */
export function formatValue(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(0)}k`;
  if (value >= 1000) return `${(value / 1000).toFixed(1)}k`;
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}

function formatTick(value: number): string {
  return value.toLocaleString('en');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The value axis: the positions of its ticks, and the height of a value. */
export interface Axis {
  readonly ticks: readonly number[];
  /** Maps a value to its height, from 0 at the bottom of the chart to 1 at the top. */
  readonly place: (value: number) => number;
}

const WANTED_TICKS = 5;

export function buildAxis(values: readonly number[], scale: 'linear' | 'log'): Axis {
  return scale === 'linear' ? buildLinearAxis(values) : buildLogAxis(values);
}

function buildLinearAxis(values: readonly number[]): Axis {
  const most = Math.max(...values, Number.MIN_VALUE);
  const rough = most / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
  return { ticks, place: (value) => value / (count * step) };
}

/** The smallest value is slightly above the bottom, so that its bar is visible. */
function buildLogAxis(values: readonly number[]): Axis {
  const powers = values.filter((value) => value > 0).map(Math.log10);
  const low = Math.floor(Math.min(...powers) - 0.1);
  const high = Math.ceil(Math.max(...powers));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { ticks, place: (value) => (value > 0 ? (Math.log10(value) - low) / (high - low) : 0) };
}
