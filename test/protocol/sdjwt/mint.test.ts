/** What is minted is read back: any claims with any of their members and elements selective, whichever of these are presented. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { disclose } from '../../../protocol/sdjwt/disclosures.ts';
import { joinChain, mintSdJwt, selective } from '../../../protocol/sdjwt/mint.ts';
import { type JsonObject, parseChain, type SdJwt } from '../../../protocol/sdjwt/sdJwt.ts';
import { PROVIDER, salt } from './chains.ts';

const name = fc.stringMatching(/^[a-z]{1,6}$/).filter((each) => each !== 'iat');

/** A value as it stands, and as it is given to the encoder. */
interface Marked {
  readonly plain: unknown;
  readonly marked: unknown;
}

const { value: claims } = fc.letrec<{ value: Marked; inner: Marked }>((tie) => ({
  inner: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)).map((plain) => ({ plain, marked: plain })),
    tie('value'),
    fc.array(fc.tuple(tie('inner'), fc.boolean()), { maxLength: 4 }).map((elements) => ({
      plain: elements.map(([{ plain }]) => plain),
      marked: elements.map(([{ marked }, isSelective]) => (isSelective ? selective(marked) : marked)),
    })),
  ),
  value: fc.dictionary(name, fc.tuple(tie('inner'), fc.boolean()), { maxKeys: 4 }).map((members) => ({
    plain: Object.fromEntries(Object.entries(members).map(([key, [{ plain }]]) => [key, plain])),
    marked: Object.fromEntries(
      Object.entries(members).map(([key, [{ marked }, isSelective]]) => [
        key,
        isSelective ? selective(marked) : marked,
      ]),
    ),
  })),
}));

function minted(marked: unknown): SdJwt {
  const text = mintSdJwt({ typ: 'x', payload: { iat: 1, ...(marked as JsonObject) }, signer: PROVIDER, salt });
  return parseChain(text)[0] as SdJwt;
}

test('with every disclosure the claims are those that were given', () => {
  fc.assert(
    fc.property(claims, ({ plain, marked }) => {
      const token = minted(marked);
      const read = disclose(token, 'sha-256', false);
      assert.ok(!('fault' in read));
      assert.deepEqual(read.payload, { iat: 1, ...(plain as JsonObject) });
      assert.deepEqual([read.disclosed, read.hidden], [token.disclosures.length, 0]);
    }),
  );
});

test('a disclosure that is withheld hides its part, and one without what contains it is refused', () => {
  fc.assert(
    fc.property(claims, fc.array(fc.boolean()), ({ marked }, kept) => {
      const token = minted(marked);
      const disclosures = token.disclosures.filter((_, index) => kept[index] ?? true);
      const read = disclose({ ...token, disclosures }, 'sha-256', false);
      if ('fault' in read) assert.match(read.fault, /named by no digest/);
      else assert.ok(read.hidden > 0 || disclosures.length === token.disclosures.length);
    }),
  );
});

test('chains that are joined are taken apart again', () => {
  fc.assert(
    fc.property(fc.array(claims, { minLength: 1, maxLength: 8 }), (each) => {
      const texts = each.map(({ marked }) => minted(marked).text);
      assert.deepEqual(
        parseChain(joinChain(texts)).map(({ text }) => text),
        texts,
      );
    }),
    { numRuns: 30 },
  );
});
