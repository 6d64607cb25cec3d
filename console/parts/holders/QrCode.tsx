/** An address as a QR code (ISO/IEC 18004), for the camera of a phone; dark on light in either scheme, as cameras want it. */
import { encode } from 'uqr';

/** Light modules around the code: without four a camera may not find it. */
const BORDER = 4;

export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label="QR code of the link"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
