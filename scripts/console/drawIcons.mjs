// Draws the mark as PNG (W3C PNG, Third Edition), in the sizes that phones and desks install: they take no SVG everywhere.
import { crc32, deflateSync } from 'node:zlib';

/** How the icons are named in the manifest and the page, how large they are, and whether the ground goes to their edges. */
export const ICONS = [
  { name: 'icon-192.png', size: 192, isFull: false },
  { name: 'icon-512.png', size: 512, isFull: false },
  { name: 'icon-maskable-512.png', size: 512, isFull: true },
  { name: 'apple-touch-icon.png', size: 180, isFull: true },
];

/** Of a maskable icon the outer tenth may be cut off on each side (W3C Web App Manifest, "Icon masks"). */
const SAFE = 0.8;
/** Of an edge; more are not told apart, and take more bytes. */
const SHADES = 8;

/** @param svg one rounded square and one line in it, as the mark is @returns the bytes of a PNG */
export function drawIcon(svg, { size, isFull }) {
  const mark = read(svg);
  const scale = (mark.size / size) * (isFull ? 1 / SAFE : 1);
  const offset = isFull ? (mark.size - mark.size / SAFE) / 2 : 0;
  const rows = Buffer.alloc(size * (1 + size));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      rows[y * (1 + size) + 1 + x] = shadeAt(
        mark,
        (x + 0.5) * scale + offset,
        (y + 0.5) * scale + offset,
        scale,
        isFull,
      );
    }
  }
  return png(size, paletteOf(mark), rows);
}

function read(svg) {
  const found =
    /<rect width="(\d+)"[^>]* rx="([\d.]+)" fill="#(\w{6})"[^>]*>\s*<path d="([^"]+)"[^>]* stroke="#(\w+)" stroke-width="([\d.]+)"/.exec(
      svg,
    );
  if (found === null) throw new Error('The mark is drawn in another way than its icons are.');
  const [, size, radius, ground, path, ink, width] = found;
  return {
    size: Number(size),
    radius: Number(radius),
    ground: rgb(ground),
    ink: rgb(ink),
    halfWidth: Number(width) / 2,
    points: pointsOf(path),
  };
}

function rgb(hex) {
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}

/** Of a path of straight lines, `M x y l dx dy L x y`. */
function pointsOf(path) {
  const points = [];
  for (const [, command, x, y] of path.matchAll(/([MlL])\s*(-?[\d.]+)[ ,](-?[\d.]+)/g)) {
    const [fromX, fromY] = command === 'l' ? points.at(-1) : [0, 0];
    points.push([fromX + Number(x), fromY + Number(y)]);
  }
  return points;
}

/**
 * At an edge a pixel is covered by as much as its middle lies within.
 * @returns its place in the palette: no pixel is at the edge of both, the line lies well within the square
 */
function shadeAt(mark, x, y, scale, isFull) {
  const share = (depth) => Math.min(1, Math.max(0, depth / scale + 0.5));
  const covered = isFull ? 1 : share(depthInSquare(mark, x, y));
  if (covered < 1) return Math.round(covered * SHADES);
  return SHADES + Math.round(share(depthInLine(mark, x, y)) * SHADES);
}

/** The ground from nothing to whole, then from the ground to the ink. */
function paletteOf({ ground, ink }) {
  const shares = Array.from({ length: SHADES + 1 }, (_, index) => index / SHADES);
  const mixed = (share) => ground.map((value, index) => Math.round(value + (ink[index] - value) * share));
  return {
    colors: [...shares.map(() => ground), ...shares.slice(1).map(mixed)],
    alphas: shares.map((share) => Math.round(255 * share)),
  };
}

/** How far within the square with round corners; negative outside. */
function depthInSquare({ size, radius }, x, y) {
  const beyond = (value) => Math.max(radius - value, value - (size - radius), 0);
  return radius - Math.hypot(beyond(x), beyond(y));
}

function depthInLine({ points, halfWidth }, x, y) {
  return halfWidth - Math.min(...points.slice(1).map((to, index) => distance(points[index], to, x, y)));
}

/** From a point to a piece of line, whose ends are round. */
function distance([x1, y1], [x2, y2], x, y) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - (x1 + along * dx), y - (y1 + along * dy));
}

/** @param rows of places in the palette, each with a byte for its filter before it: none */
function png(size, { colors, alphas }, rows) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // 8 bits, which are places in a palette.
  head.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colors.flat())),
    chunk('tRNS', Buffer.from(alphas)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
