/** As much of a browser as a login needs: cookies for each host, and redirects followed one at a time. */
import assert from 'node:assert/strict';
import type { World } from './world.ts';

export interface Browser {
  /** Cookies by the port they came from, since everything is on one machine. */
  readonly jars: Map<string, Map<string, string>>;
  /** One request with this browser's cookies; redirects are not followed. */
  visit(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until one leads to an address that starts so, which is returned unvisited. */
  followTo(url: string, target: string): Promise<string>;
}

export function openBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { port } = new URL(url);
    const jar = jars.get(port) ?? new Map<string, string>();
    jars.set(port, jar);
    return jar;
  };
  const browser: Browser = {
    jars,
    async visit(url, init = {}) {
      const jar = jarOf(url);
      const headers = new Headers(init.headers);
      if (jar.size > 0) headers.set('Cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
      // Nothing listens on ::1, which localhost may stand for.
      const response = await fetch(url.replace('//localhost:', '//127.0.0.1:'), {
        ...init,
        headers,
        redirect: 'manual',
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (name === undefined || value === undefined) continue;
        if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
    async followTo(url, target) {
      let next = url;
      for (let hop = 0; hop < 10; hop++) {
        const response = await browser.visit(next);
        const location = response.headers.get('location');
        assert.ok(location, `${next} answered ${response.status} without a way on: ${await response.text()}`);
        next = new URL(location, next).href;
        if (next.startsWith(target)) return next;
      }
      throw new Error(`${target} was never reached`);
    },
  };
  return browser;
}

export interface LoggedIn {
  readonly browser: Browser;
  readonly accessToken: string;
  /** The headers of a call as this person. */
  readonly headers: { readonly Authorization: string };
}

/** Goes to the provider and returns the callback's address without visiting it. */
export function reachCallback(world: World, browser: Browser): Promise<string> {
  return browser.followTo(`${world.node.baseUrl}/ap2/auth/login`, `${world.node.baseUrl}/ap2/auth/callback`);
}

/** The whole login, as the person whom the provider lets in. */
export async function logIn(world: World, browser: Browser = openBrowser()): Promise<LoggedIn> {
  const response = await browser.visit(await reachCallback(world, browser));
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const { accessToken } = JSON.parse(text) as { accessToken: string };
  return { browser, accessToken, headers: { Authorization: `Bearer ${accessToken}` } };
}
