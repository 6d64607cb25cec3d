import { z } from 'zod';
import { table } from '/work/main/src/handlers/table.ts';
for (const [n,u] of Object.entries(table)) {
  for (const io of ['input','output'] as const) {
    try { const s = z.toJSONSchema((u as any)[io], {io, unrepresentable: 'any'}); console.log(n, io, JSON.stringify(s)); } catch (e) { console.log('ERR', n, io, String(e)); }
  }
}
