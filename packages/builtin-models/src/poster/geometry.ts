import type { Prng } from './prng.ts';
import { num } from './svg.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type Point = readonly [x: number, y: number];

export const lerp = (from: number, to: number, t: number): number => from + (to - from) * t;

export const inset = (r: Rect, by: number): Rect => ({
  x: r.x + by,
  y: r.y + by,
  w: Math.max(1, r.w - 2 * by),
  h: Math.max(1, r.h - 2 * by),
});

/** Builds path data. Every coordinate is rounded exactly once, here. */
export class Pen {
  private data = '';

  to(x: number, y: number): this {
    this.data += `M${num(x)} ${num(y)}`;
    return this;
  }

  line(x: number, y: number): this {
    this.data += `L${num(x)} ${num(y)}`;
    return this;
  }

  cubic(ax: number, ay: number, bx: number, by: number, x: number, y: number): this {
    this.data += `C${num(ax)} ${num(ay)} ${num(bx)} ${num(by)} ${num(x)} ${num(y)}`;
    return this;
  }

  /** An arc of at most half a circle. */
  arc(radius: number, sweep: boolean, x: number, y: number): this {
    this.data += `A${num(radius)} ${num(radius)} 0 0 ${sweep ? 1 : 0} ${num(x)} ${num(y)}`;
    return this;
  }

  close(): this {
    this.data += 'Z';
    return this;
  }

  toString(): string {
    return this.data;
  }
}

export function polygon(points: readonly Point[]): string {
  const pen = new Pen();
  points.forEach(([x, y], i) => (i === 0 ? pen.to(x, y) : pen.line(x, y)));
  return pen.close().toString();
}

/** Draws a smooth curve through the points (Catmull-Rom, as cubic pieces). The pen must be at the first point. */
export function smoothThrough(pen: Pen, points: readonly Point[]): Pen {
  for (let i = 0; i + 1 < points.length; i++) {
    const p1 = points[i] as Point;
    const p2 = points[i + 1] as Point;
    const p0 = points[i - 1] ?? p1;
    const p3 = points[i + 2] ?? p2;
    pen.cubic(
      p1[0] + (p2[0] - p0[0]) / 6,
      p1[1] + (p2[1] - p0[1]) / 6,
      p2[0] - (p3[0] - p1[0]) / 6,
      p2[1] - (p3[1] - p1[1]) / 6,
      p2[0],
      p2[1],
    );
  }
  return pen;
}

const ROUGHNESS = 0.16;

/** Points of a jagged line from `a` to `b`: 2^depth pieces, created by midpoint displacement. */
export function jagged(prng: Prng, a: Point, b: Point, depth = 4): Point[] {
  if (depth === 0) return [a, b];
  const reach = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const middle: Point = [
    (a[0] + b[0]) / 2 + prng.range(-0.5, 0.5) * reach * ROUGHNESS,
    (a[1] + b[1]) / 2 + prng.range(-0.5, 0.5) * reach * ROUGHNESS,
  ];
  return [...jagged(prng, a, middle, depth - 1), ...jagged(prng, middle, b, depth - 1).slice(1)];
}

/** Points of a smooth line across the frame: a sum of three sines around `y`. */
export function swell(prng: Prng, frame: Rect, y: number, amplitude: number, waves: number): Point[] {
  const steps = 40;
  const parts = [1, 2.1, 3.7].map((factor, i) => ({
    k: factor * waves * prng.range(0.8, 1.2),
    phase: prng.range(0, Math.PI * 2),
    size: [0.62, 0.27, 0.11][i] ?? 0,
  }));
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    const t = i / steps;
    const up = parts.reduce((sum, p) => sum + Math.sin(t * p.k * Math.PI * 2 + p.phase) * p.size, 0);
    return [frame.x + frame.w * t, y + up * amplitude];
  });
}

/** Returns the path of the area between a curve and the frame's bottom. */
export function areaUnder(points: readonly Point[], frame: Rect): string {
  const bottom = frame.y + frame.h + 1;
  const pen = new Pen().to(frame.x, bottom).line(...points[0]!);
  return smoothThrough(pen, points)
    .line(frame.x + frame.w, bottom)
    .close()
    .toString();
}
