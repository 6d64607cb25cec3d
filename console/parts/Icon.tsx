/** The few signs of the console, drawn with one weight of line. Words stand beside them; a reader need not know them. */

const PATHS = {
  today: 'M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4.5v-5h-5v5H5a1 1 0 0 1-1-1z',
  approvals: 'M5 12.5l4.5 4.5L19 7.5',
  payments:
    'M3.5 7.5A1.5 1.5 0 0 1 5 6h14a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 18H5a1.5 1.5 0 0 1-1.5-1.5zM3.5 10h17M7 14.5h4',
  decisions:
    'M12 4v16M6 20h12M5 7.5h14M5 7.500 2.500 13.500a2.600 2.600 0 0 0 5 0zM19 7.500l-2.500 6a2.600 2.600 0 0 0 5 0z',
  agents:
    'M8 8.5h8a2 2 0 0 1 2 2V16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-5.5a2 2 0 0 1 2-2zM12 8.5V5M9.5 12.5v1.5M14.5 12.5v1.5M3.5 12v3M20.5 12v3',
  principals: 'M12 4a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM4.500 20c.5-3.700 3.500-6 7.500-6s7 2.300 7.500 6',
  policy: 'M6.500 3.500h8l3.500 3.500v13.500h-11.500zM14 3.500v4h4M9.500 12h5.500M9.500 15.500h5.500',
  evidence: 'M12 3.500 19 6v5.500c0 4.300-2.900 7.300-7 9-4.100-1.700-7-4.700-7-9V6zM9 12l2.200 2.200L15 10',
  build: 'M8 7l-4.500 5L8 17M16 7l4.500 5L16 17M13.500 5l-3 14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  back: 'M14.5 6 8.5 12l6 6',
  next: 'M9.5 6l6 6-6 6',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  copy: 'M9 9h9.5v10.5H9zM15 9V4.5H5.5V15H9',
  touch:
    'M12 4a6 6 0 0 0-6 6v3M18 12.5V10a6 6 0 0 0-2-4.5M9 19.5c.6-1.8 1-3.8 1-6.500V10a2 2 0 0 1 4 0v2.500c0 2.500-.3 4.800-1 7M17 19c.4-1.300.700-2.600.800-4M6 17.500c.2-.600.300-1.200.300-2',
  freeze:
    'M12 3.500v17M4.600 7.700l14.800 8.600M19.400 7.700 4.600 16.300M9.500 4.500 12 7l2.500-2.500M9.500 19.500 12 17l2.500 2.500',
  download: 'M12 4.500v10M7.500 10.500l4.500 4.500 4.500-4.500M5 19.500h14',
  more: 'M5.5 12h.01M12 12h.01M18.500 12h.01',
  search: 'M10.500 4.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l4.500 4.500',
  plus: 'M12 5v14M5 12h14',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 22 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
