declare module 'autocannon' {
  interface Request {
    method: string;
    headers: Record<string, string>;
    body?: string;
    setupRequest?: (request: Request) => Request;
    onResponse?: (status: number, body: string) => void;
  }
  interface Result {
    readonly errors: number;
    /** in seconds */
    readonly duration: number;
    readonly requests: { readonly total: number };
    /** in milliseconds */
    readonly latency: { readonly p50: number; readonly p99: number };
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    /** in seconds */
    duration: number;
    requests: Request[];
  }): Promise<Result>;
}
