/** JSON as others write it: what has one canonical form, and what has none. */

export const JSON_TEXTS: Readonly<Record<string, string>> = {
  'the numbers of RFC 8785':
    '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,0,-0.0,5e-324,-5e-324,1.7976931348623157e308,9007199254740992,-9007199254740992,295147905179352830000,9.999999999999997e22,1e23,1.0000000000000001e23,999999999999999700000,999999999999999900000,1e21,9.999999999999997e-7,0.000001,333333333.3333332,333333333.33333325,333333333.3333333,1424953923781206.2,1e-7,123456789012345680000]',
  'whole numbers and amounts': '[1,10,100,42.5,150.25,0.1,1e2,1.0,100000000000000000000,12345678901234567890,-1.5]',
  'the names of RFC 8785':
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
  'texts with every escape': '"\\u0000\\b\\t\\n\\f\\r\\u001f \\"\\\\\\/\\u007f\\u2028\\u2029é😀"',
  'empty things': '{"a":{},"b":[],"c":"","":null}',
  'things in things': '{"b":[{"d":[true,false,null],"c":{"z":1,"a":2}}],"a":"x"}',
  'names that differ in case and length': '{"aa":1,"a":2,"A":3,"B":4,"b":5,"10":6,"9":7}',
  'nested 32 deep': `${'['.repeat(32)}1${']'.repeat(32)}`,
};

export const JSON_REFUSED: Readonly<Record<string, string>> = {
  'a number beyond a double': '[1e400]',
  'a whole number beyond a double': `[${'9'.repeat(400)}]`,
  'no number': '[NaN]',
  'an infinite number': '[-Infinity]',
  'half a surrogate pair': '["\\ud800"]',
  'a name with half a surrogate pair': '{"\\udc00":1}',
  'a member that is there twice': '{"a":1,"b":2,"a":3}',
  'a member that is there twice, deep inside': '{"x":[{"a":1,"\\u0061":3}]}',
  'the name __proto__': '{"__proto__":1}',
  'nested 33 deep': `${'['.repeat(33)}1${']'.repeat(33)}`,
  'two values': '1 2',
  'a comma too many': '[1,]',
  'a number with a leading zero': '[01]',
  'a control character in a text': '["\u0001"]',
  nothing: '',
};
