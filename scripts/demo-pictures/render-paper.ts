// Turns layers of SVG into a picture of cut paper. Each layer casts a soft shadow and has a lit rim. At the end, the whole picture gets the
// slightly uneven edges of paper that was cut by hand, the fibres of the paper, and light from one side.

import sharp, { type Sharp } from 'sharp';
import { createField } from './random.ts';

export interface Layer {
  /** How far the layer stands out: 0 for paint, 0.5 for print and thin lines, 1 to 5 for paper. */
  readonly height: number;
  /** SVG elements. */
  readonly svg: string;
}

export interface Light {
  /** As a percentage of the picture. */
  readonly x: number;
  readonly y: number;
  readonly strength: number;
}

export interface PaperPlan {
  /** In the units that the SVG elements use. */
  readonly width: number;
  readonly height: number;
  readonly definitions: string;
  readonly layers: readonly Layer[];
  readonly light: Light | null;
  /** 1 for ordinary paper, 0 for smooth. */
  readonly grain: number;
}

const SHADOW = [12, 18, 34] as const;

export async function renderPaper(plan: PaperPlan, width: number, height: number): Promise<Sharp> {
  const canvas = new Float32Array(width * height * 3).fill(255);
  for (const layer of plan.layers) await addLayer(canvas, layer, plan, width, height);
  const pixels = finish(canvas, plan, width, height);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

async function addLayer(canvas: Float32Array, layer: Layer, plan: PaperPlan, width: number, height: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${plan.width} ${plan.height}"><defs>${plan.definitions}</defs>${layer.svg}</svg>`;
  const source = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
  const unit = width / plan.width;
  const { height: level } = layer;
  const isPaper = level >= 1;
  const far = level * 0.34 * unit;
  const alpha = readAlpha(source, width * height);
  const shadow = new Float32Array(width * height);
  if (level > 0) {
    const reach = isPaper ? (0.12 + level * 0.05) * unit : 0.14 * unit;
    const near = { blur: reach, x: isPaper ? far * 0.2 : 0.08 * unit, y: isPaper ? far * 0.35 : 0.14 * unit };
    await castShadow(shadow, alpha, { ...near, opacity: 0.36 }, width, height);
    const wide = { blur: 0.35 * unit + far, x: far * 0.7, y: far * 1.3, opacity: 0.32 };
    if (isPaper) await castShadow(shadow, alpha, wide, width, height);
  }
  const rimX = Math.max(1, Math.round(0.05 * unit));
  const rimY = Math.max(1, Math.round(0.09 * unit));
  for (let index = 0; index < width * height; index += 1) {
    const opacity = (alpha[index] ?? 0) / 255;
    const shade = shadow[index] ?? 0;
    if (opacity === 0 && shade === 0) continue;
    const isInside = index % width >= rimX && index >= rimY * width;
    const before = isPaper && isInside ? (alpha[index - rimY * width - rimX] ?? 0) / 255 : 1;
    const rim = Math.max(0, opacity - before) * 0.34;
    for (let channel = 0; channel < 3; channel += 1) {
      const place = index * 3 + channel;
      const below = canvas[place] ?? 0;
      const shaded = below + ((SHADOW[channel] ?? 0) - below) * shade;
      const covered = shaded + ((source[index * 4 + channel] ?? 0) - shaded) * opacity;
      canvas[place] = covered + (255 - covered) * rim;
    }
  }
}

function readAlpha(source: Buffer, count: number): Buffer {
  const alpha = Buffer.alloc(count);
  for (let index = 0; index < count; index += 1) alpha[index] = source[index * 4 + 3] ?? 0;
  return alpha;
}

interface Cast {
  readonly blur: number;
  readonly x: number;
  readonly y: number;
  readonly opacity: number;
}

/** Adds the blurred and shifted shape to the shadow. */
async function castShadow(shadow: Float32Array, alpha: Buffer, cast: Cast, width: number, height: number) {
  const blurred = await sharp(alpha, { raw: { width, height, channels: 1 } })
    .blur(Math.max(0.3, cast.blur))
    .extractChannel(0)
    .raw()
    .toBuffer();
  const moveX = Math.round(cast.x);
  const moveY = Math.round(cast.y);
  for (let y = 0; y < height; y += 1) {
    const from = Math.max(0, y - moveY) * width;
    for (let x = 0; x < width; x += 1) {
      const dark = ((blurred[from + Math.max(0, x - moveX)] ?? 0) / 255) * cast.opacity;
      if (dark === 0) continue;
      const place = y * width + x;
      const known = shadow[place] ?? 0;
      shadow[place] = known + dark * (1 - known);
    }
  }
}

function finish(
  canvas: Float32Array,
  { width: units, light, grain }: PaperPlan,
  width: number,
  height: number,
): Buffer {
  const unit = width / units;
  const [bendX, bendY, fibres, clouds] = [createField(1), createField(2), createField(3), createField(4)];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [x / unit, y / unit];
      const bend = grain === 0 ? 0 : 0.13 * unit;
      const fromX = x + bendX(u * 0.3, v * 0.3) * bend + bendX(u, v) * bend * 0.3;
      const fromY = y + bendY(u * 0.3, v * 0.3) * bend + bendY(u, v) * bend * 0.3;
      const tooth =
        fibres(u * 2.2, v * 2.2) * 0.035 + fibres(u * 5.1, v * 5.1) * 0.02 + clouds(u * 0.16, v * 0.16) * 0.035;
      const away =
        light === null ? 0.45 : Math.hypot(x / width - light.x / 100, y / width - (light.y / 100) * (height / width));
      const lit = light === null ? 0 : (0.5 - away * 1.05) * light.strength * 0.62;
      const edge = Math.hypot(x / width - 0.5, y / height - 0.47);
      const change = tooth * grain + lit - Math.max(0, edge - 0.42) * 0.45 * Math.min(1, grain);
      for (let channel = 0; channel < 3; channel += 1) {
        const value = sample(canvas, fromX, fromY, channel, width, height) / 255;
        // Soft light: black and white stay as they are.
        const softened = value + change * value * (1 - value) * 2.2 + change * 0.06;
        pixels[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, Math.round(softened * 255)));
      }
    }
  }
  return pixels;
}

function sample(canvas: Float32Array, x: number, y: number, channel: number, width: number, height: number): number {
  const clampedX = Math.max(0, Math.min(width - 1.001, x));
  const clampedY = Math.max(0, Math.min(height - 1.001, y));
  const left = Math.floor(clampedX);
  const top = Math.floor(clampedY);
  const [right, down] = [clampedX - left, clampedY - top];
  const place = (top * width + left) * 3 + channel;
  const above = (canvas[place] ?? 0) * (1 - right) + (canvas[place + 3] ?? 0) * right;
  const below = (canvas[place + width * 3] ?? 0) * (1 - right) + (canvas[place + width * 3 + 3] ?? 0) * right;
  return above * (1 - down) + below * down;
}
