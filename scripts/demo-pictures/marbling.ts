// Marbled paper, computed as a marbler makes it: drops of ink push each other apart, then a comb pulls them into feathers. The colour of a
// pixel follows from undoing the steps in reverse order (A. Jaffer, "The Mathematics of Marbling").

import sharp from 'sharp';
import { INK, type Picture } from './paper.ts';
import { createField, createRandom } from './random.ts';

interface Point {
  x: number;
  y: number;
}

/** Moves the point back to where it was before the step; returns a colour if the step put ink there. */
type Undo = (point: Point) => Rgb | undefined;
type Rgb = readonly [number, number, number];

const COLOURS = [INK.red, INK.cream, INK.teal, INK.ochre, INK.night, INK.rose, INK.white, INK.sea].map(readColour);
const WATER = readColour(INK.teal);
const SAMPLES = [0.125, 0.625, 0.375, 0.875].map((x, index) => ({ x, y: [0.375, 0.125, 0.875, 0.625][index] ?? 0 }));

export function createMarbling(file: string, width: number, height: number): Picture {
  const steps = planSteps();
  const fibres = createField(5);
  return {
    file,
    width,
    height,
    async render(pixelWidth, pixelHeight) {
      const pixels = Buffer.alloc(pixelWidth * pixelHeight * 3);
      for (let y = 0; y < pixelHeight; y += 1) {
        for (let x = 0; x < pixelWidth; x += 1) {
          const grain = 1 + fibres((x / pixelWidth) * 300, (y / pixelWidth) * 300) * 0.025;
          const sum = [0, 0, 0];
          for (const sample of SAMPLES) {
            const colour = findColour(steps, { x: (x + sample.x) / pixelWidth, y: (y + sample.y) / pixelWidth });
            for (const channel of [0, 1, 2]) sum[channel] = (sum[channel] ?? 0) + (colour[channel] ?? 0);
          }
          for (const channel of [0, 1, 2]) {
            pixels[(y * pixelWidth + x) * 3 + channel] = Math.min(
              255,
              Math.round(((sum[channel] ?? 0) / SAMPLES.length) * grain),
            );
          }
        }
      }
      return sharp(pixels, { raw: { width: pixelWidth, height: pixelHeight, channels: 3 } });
    },
  };
}

function findColour(steps: readonly Undo[], point: Point): Rgb {
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const colour = steps[index]?.(point);
    if (colour !== undefined) return colour;
  }
  return WATER;
}

function planSteps(): readonly Undo[] {
  const random = createRandom(31);
  const steps: Undo[] = [];
  for (let index = 0; index < 120; index += 1) {
    const colour = COLOURS[index % COLOURS.length] ?? WATER;
    steps.push(dropInk(random.between(-0.1, 1.1), random.between(-0.1, 0.85), random.between(0.035, 0.085), colour));
  }
  steps.push(
    comb(0.125, 0.17, 0),
    comb(0.125, -0.13, 0.5),
    sway(0.018, 0.36, 0.3),
    comb(0.0625, 0.05, 0.25),
    sway(0.01, 0.21, 1.2),
  );
  return steps;
}

function dropInk(centreX: number, centreY: number, radius: number, colour: Rgb): Undo {
  const square = radius * radius;
  return (point) => {
    const [x, y] = [point.x - centreX, point.y - centreY];
    const distance = x * x + y * y;
    if (distance < square) return colour;
    const pull = Math.sqrt(1 - square / distance);
    point.x = centreX + x * pull;
    point.y = centreY + y * pull;
    return undefined;
  };
}

/** Pulls teeth, `spacing` apart, down through the ink. A negative strength pulls them up. */
function comb(spacing: number, strength: number, shift: number): Undo {
  return (point) => {
    const tooth = Math.cos((point.x / spacing + shift) * Math.PI);
    point.y -= strength * tooth ** 12;
    return undefined;
  };
}

/** Bends everything to the left and to the right. */
function sway(swell: number, length: number, shift: number): Undo {
  return (point) => {
    point.x -= swell * Math.sin((point.y / length) * 2 * Math.PI + shift);
    return undefined;
  };
}

function readColour(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
