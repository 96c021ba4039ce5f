// The vocabulary of the drawings: colours, shapes and layers of paper.

import type { Sharp } from 'sharp';
import { type Layer, type Light, renderPaper } from './render-paper.ts';

export const INK = {
  cream: '#f4ead8',
  white: '#fffaf0',
  red: '#d4492e',
  brick: '#b23a24',
  ochre: '#e3a53c',
  gold: '#f0c46c',
  teal: '#2f6f73',
  sea: '#4d8f90',
  night: '#1f2a37',
  dusk: '#33475a',
  sage: '#9db89a',
  moss: '#6f9379',
  rose: '#efc7b0',
  blush: '#e6a68c',
  sky: '#c3d8d8',
  wood: '#8a5a3c',
} as const;

export interface Picture {
  /** The name of the file, with its extension. */
  readonly file: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The JPEG quality, from 1 to 100. */
  readonly quality?: number;
  render(width: number, height: number): Promise<Sharp>;
}

export interface Drawing extends Omit<Picture, 'render'> {
  /** The width, in the units that the shapes use. */
  readonly units: number;
  /** Gradients and patterns. */
  readonly definitions?: string;
  readonly layers: readonly Layer[];
  readonly light?: Light;
  readonly grain?: number;
}

export function drawPaper({ units, definitions = '', layers, light, grain = 1, ...picture }: Drawing): Picture {
  const height = (units * picture.height) / picture.width;
  const plan = { width: units, height, definitions, layers, light: light ?? null, grain };
  return { ...picture, render: (pixelWidth, pixelHeight) => renderPaper(plan, pixelWidth, pixelHeight) };
}

/** A sheet of paper; 1 lies flat, 5 stands out most. */
export function lift(height: 1 | 2 | 3 | 4 | 5, ...shapes: readonly string[]): Layer {
  return { height, svg: shapes.join('') };
}

/** Print and thin lines, which are almost flat. */
export function press(...shapes: readonly string[]): Layer {
  return { height: 0.5, svg: shapes.join('') };
}

/** Paint, which casts no shadow. */
export function paint(...shapes: readonly string[]): Layer {
  return { height: 0, svg: shapes.join('') };
}

export function path(fill: string, d: string, more = ''): string {
  return `<path fill="${fill}" d="${d}" ${more}/>`;
}

export function line(stroke: string, width: number, d: string, more = ''): string {
  const ends = 'stroke-linecap="round" stroke-linejoin="round"';
  return `<path fill="none" stroke="${stroke}" stroke-width="${width}" ${ends} d="${d}" ${more}/>`;
}

export function circle(fill: string, x: number, y: number, radius: number, more = ''): string {
  return `<circle fill="${fill}" cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" ${more}/>`;
}

export function rect(fill: string, x: number, y: number, width: number, height: number, radius = 0, more = ''): string {
  const size = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
  return `<rect fill="${fill}" ${size} rx="${radius}" ${more}/>`;
}

export function at(x: number, y: number, shapes: string, turn = 0, size = 1): string {
  return `<g transform="translate(${round(x)} ${round(y)}) rotate(${round(turn)}) scale(${round(size)})">${shapes}</g>`;
}

/** The colours change from top to bottom. */
export function gradient(id: string, from: string, to: string): string {
  const stops = `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`;
  return `<linearGradient id="${id}" x2="0" y2="1">${stops}</linearGradient>`;
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
