/** The picture of the rooms of the program: each above those that it imports, as the imports say. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const IMPORTS = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** @returns lines for a block of text: the floors from the top down, and on the floor of extensions each of them */
export function roomsPicture(): string {
  const arrows = new Map<string, Set<string>>();
  for (const file of [...sourcesIn('src'), ...sourcesIn('protocol'), ...sourcesIn('client')]) {
    const room = roomOf(file);
    const own = arrows.get(room) ?? new Set();
    arrows.set(room, own);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const target = normalize(join(dirname(file), path as string));
      if (target.endsWith('.ts') && roomOf(target) !== room) own.add(roomOf(target));
    }
  }
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    const below = [...(arrows.get(room) ?? [])].map(heightOf);
    const height = below.length === 0 ? 0 : Math.max(...below) + 1;
    heights.set(room, height);
    return height;
  };
  const rooms = [...arrows.keys()].sort();
  const highest = Math.max(...rooms.map(heightOf));
  const floors = Array.from({ length: highest + 1 }, (_, below) =>
    rooms.filter((room) => heightOf(room) === highest - below),
  );
  return floors.map((floor, index) => `${index === 0 ? '   ' : ' ▼ '}${floor.map(shown).join('   ')}`).join('\n');
}

function shown(room: string): string {
  return room === 'extensions' ? `extensions   (${extensionNames().join(', ')})` : room;
}

function extensionNames(): string[] {
  return readdirSync('src/extensions', { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function roomOf(file: string): string {
  const [top = '', room, ...rest] = file.split('/');
  if (top !== 'src') return top;
  return rest.length === 0 ? 'main' : String(room);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}
