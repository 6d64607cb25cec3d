/** How an internationalized domain is read, such as `xn--mller-kva.example` as müller.example, where that lures no one to another domain. */

/**
 * Labels of European letters with their marks, or of one other script that has no letter like a Latin one; Cyrillic and Greek have
 * many, so that the whole name has to be of it.
 */
const PLAIN =
  /^(?:(?:[a-z\d\-ß-öø-įĵ-ķĺ-ž]+|[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}ー\d-]+|[\p{sc=Hang}\d-]+|[\p{sc=Arab}\d-]+|[\p{sc=Hebr}\d-]+|[\p{sc=Deva}\d-]+|[\p{sc=Thai}\d-]+)(?:\.|$))+$|^[\p{sc=Cyrl}\d.-]+$|^[\p{sc=Grek}\d.-]+$/u;

/** @param name in A-labels @returns undefined where it has none, and where what is read could be taken for another domain */
export function readableDomain(name: string): string | undefined {
  if (!/\bxn--/.test(name)) return undefined;
  try {
    const read = name
      .split('.')
      .map((label) => (label.startsWith('xn--') ? decode(label.slice(4)) : label))
      .join('.');
    // What is encoded to something else was not said by the name.
    return PLAIN.test(read) && new URL(`https://${read}`).hostname === name ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Punycode (RFC 3492 §6.2). @throws RangeError for what is none */
function decode(text: string): string {
  const basic = text.lastIndexOf('-');
  const codes = [...text.slice(0, Math.max(0, basic))].map((each) => each.charCodeAt(0));
  let [code, place, bias] = [128, 0, 72];
  for (let at = basic + 1; at < text.length; ) {
    const former = place;
    for (let weight = 1, step = 36; ; step += 36) {
      const letter = text.charCodeAt(at++);
      const digit = letter > 96 ? letter - 97 : letter - 22;
      const least = Math.min(26, Math.max(1, step - bias));
      place += digit * weight;
      // Behind the end it is no number, and so no character.
      if (!(digit >= least)) break;
      weight *= 36 - least;
    }
    const count = codes.length + 1;
    let delta = Math.floor((place - former) / (former === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(place / count);
    place %= count;
    codes.splice(place++, 0, code);
  }
  return String.fromCodePoint(...codes);
}
