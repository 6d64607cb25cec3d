/** The people, agents and shops of a seeded sandbox. Their names are made up, and the domains are reserved ones (RFC 2606). */

/** Prices in whole cents of USD. */
type Item = readonly [name: string, cents: number];

export interface Shop {
  readonly domain: string;
  /** ISO 18245. */
  readonly mcc: string;
  /** ISO 3166-1. */
  readonly country: string;
  /** What it sends at once: tickets, files, credits. */
  readonly isDigital?: true;
  readonly items: readonly Item[];
  /** What costs more than an agent may spend alone. */
  readonly large?: readonly Item[];
}

export const SHOPS = {
  groceries: {
    domain: 'greenbasket.example',
    mcc: '5411',
    country: 'US',
    items: [
      ['Oat milk, 6 × 1 l', 1494],
      ['Sourdough bread', 620],
      ['Free-range eggs, 12', 549],
      ['Tomatoes, 1 kg', 430],
      ['Basmati rice, 2 kg', 899],
      ['Olive oil, 750 ml', 1590],
      ['Chicken thighs, 1 kg', 1180],
      ['Aged cheddar, 400 g', 780],
      ['Dishwasher tablets, 40', 1349],
      ['Seasonal fruit box', 2450],
    ],
  },
  coffee: {
    domain: 'morrow-coffee.example',
    mcc: '5499',
    country: 'US',
    items: [
      ['House espresso, 1 kg', 2890],
      ['Ethiopia Guji, 250 g', 1650],
      ['Decaf Huila, 500 g', 1990],
      ['Paper filters, 200', 790],
    ],
  },
  rail: {
    domain: 'northline-rail.example',
    mcc: '4112',
    country: 'US',
    isDigital: true,
    items: [
      ['Boston to New York, one way', 6900],
      ['New York to Philadelphia, one way', 4400],
      ['New York to Albany, one way', 3950],
      ['Seat reservation', 600],
    ],
  },
  hotel: {
    domain: 'hotel-amber.example',
    mcc: '7011',
    country: 'US',
    items: [
      ['Breakfast', 1900],
      ['Late check-out', 3500],
    ],
    large: [
      ['Single room, 1 night', 13_900],
      ['Double room, 1 night', 16_900],
      ['Single room, 2 nights', 26_400],
    ],
  },
  books: {
    domain: 'pagewise.example',
    mcc: '5942',
    country: 'US',
    items: [
      ['The Sea Around Us, paperback', 1699],
      ['Invisible Cities, paperback', 1595],
      ['A Pattern Language', 5499],
      ['The Design of Everyday Things', 1899],
      ['Notebook, dotted, A5', 1450],
    ],
  },
  compute: {
    domain: 'cloudmeter.example',
    mcc: '7372',
    country: 'US',
    isDigital: true,
    items: [
      ['Compute credits, 10 h', 2400],
      ['Object storage, 200 GB, 1 month', 460],
      ['Embedding calls, 1 million', 1300],
      ['Web search calls, 5,000', 2500],
    ],
  },
  weather: {
    domain: 'fieldnotes-weather.example',
    mcc: '7372',
    country: 'CA',
    isDigital: true,
    items: [
      ['Hourly forecast, 1,000 calls', 400],
      ['Historical data, one station', 900],
      ['Storm alerts, 1 month', 1200],
    ],
  },
  office: {
    domain: 'papierwerk.example',
    mcc: '5943',
    country: 'US',
    items: [
      ['Copy paper, 5 × 500 sheets', 3290],
      ['Toner, black', 7450],
      ['Ring binders, 10', 2390],
      ['Fineliners, 12', 1880],
      ['Padded envelopes, 50', 1975],
    ],
    large: [
      ['Desk lamp, oak', 12_900],
      ['Office chair, mesh', 28_900],
    ],
  },
  electronics: {
    domain: 'tinkerparts.example',
    mcc: '5732',
    country: 'US',
    items: [
      ['Soldering wire, 250 g', 1690],
      ['Single-board computer, 4 GB', 6200],
      ['Temperature sensors, 5', 1425],
      ['USB-C power supply, 65 W', 3490],
      ['Jumper cables, 120', 980],
    ],
    large: [
      ['Noise-cancelling headphones', 18_900],
      ['Monitor, 27 inches', 23_900],
      ['Bench power supply', 15_400],
    ],
  },
  flowers: {
    domain: 'petalpost.example',
    mcc: '5992',
    country: 'US',
    items: [
      ['Bouquet, seasonal', 4200],
      ['Orchid in a pot', 3600],
      ['Dried lavender', 1850],
      ['Card with a message', 450],
    ],
  },
  pets: {
    domain: 'paws-and-company.example',
    mcc: '5995',
    country: 'US',
    items: [
      ['Dry food, adult cat, 4 kg', 3799],
      ['Clumping litter, 12 kg', 2150],
      ['Chew sticks, 30', 1290],
      ['Flea comb', 850],
    ],
  },
  pharmacy: {
    domain: 'vitalis-pharmacy.example',
    mcc: '5912',
    country: 'US',
    items: [
      ['Vitamin D drops', 1480],
      ['Allergy tablets, 30', 1795],
      ['Plasters, assorted', 640],
      ['Contact lens solution, 2 × 360 ml', 2190],
    ],
  },
  casino: {
    domain: 'lucky-spin.example',
    mcc: '7995',
    country: 'MT',
    items: [['Prize draw, 20 tickets', 2000]],
  },
  watches: {
    domain: 'bargain-watches.example',
    mcc: '5944',
    country: 'HK',
    items: [
      ['Chronograph, steel, “like new”', 8990],
      ['Diver’s watch, last one', 9450],
    ],
  },
} as const satisfies Readonly<Record<string, Shop>>;

export type ShopName = keyof typeof SHOPS;

/** Whose money it is. */
export const PEOPLE = ['Ada Bergström', 'Ben Okafor', 'Chiara Moretti', 'Weber & Daughters', 'Studio Nord'] as const;

/** The principal that the node's owner is, where there is one. */
export const OWNERS: (typeof PEOPLE)[number] = 'Ben Okafor';

interface SeededAgent {
  readonly name: string;
  readonly description: string;
  readonly of: (typeof PEOPLE)[number];
  readonly shops: readonly ShopName[];
  /** How many of a hundred purchases are its own. */
  readonly share: number;
}

export const AGENTS = [
  { name: 'Grocery agent', description: 'The week’s groceries.', of: 'Ada Bergström', shops: ['groceries'], share: 17 },
  { name: 'Pharmacy refill', description: 'What runs out.', of: 'Ada Bergström', shops: ['pharmacy'], share: 5 },
  { name: 'Home lab', description: 'Parts for the workshop.', of: 'Ben Okafor', shops: ['electronics'], share: 8 },
  { name: 'Reading list', description: 'Books off the list.', of: 'Ben Okafor', shops: ['books'], share: 8 },
  {
    name: 'Deal hunter',
    description: 'Looks for bargains.',
    of: 'Ben Okafor',
    shops: ['electronics', 'books'],
    share: 4,
  },
  {
    name: 'Gift finder',
    description: 'Birthdays, thanks.',
    of: 'Chiara Moretti',
    shops: ['flowers', 'books'],
    share: 7,
  },
  { name: 'Pet care', description: 'Food and litter.', of: 'Chiara Moretti', shops: ['pets'], share: 5 },
  { name: 'Travel desk', description: 'Trains, hotels.', of: 'Weber & Daughters', shops: ['rail', 'hotel'], share: 12 },
  { name: 'Office supplies', description: 'Paper and toner.', of: 'Weber & Daughters', shops: ['office'], share: 9 },
  {
    name: 'Research assistant',
    description: 'Pays per call.',
    of: 'Studio Nord',
    shops: ['compute', 'weather'],
    share: 15,
  },
  { name: 'Coffee subscription', description: 'Beans for the office.', of: 'Studio Nord', shops: ['coffee'], share: 7 },
  { name: 'Invoice runner', description: 'Renewals.', of: 'Studio Nord', shops: ['compute', 'weather'], share: 3 },
] as const satisfies readonly SeededAgent[];

export type AgentName = (typeof AGENTS)[number]['name'];
