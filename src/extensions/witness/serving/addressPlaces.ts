/** How many connections each address holds, so that no one of them takes all the places of a witness. */
import type { Socket } from 'node:net';
import { isLoopbackAddress, peerSubject } from '../../../access/clientAddress.ts';

/** A proxy may be behind an address of this machine, and brings many clients. */
const UNCOUNTED = { has: isLoopbackAddress };

/** The name under which an address is counted, by its /64 network where it is IPv6; undefined for one of this machine. */
export function countedAddress(socket: Pick<Socket, 'remoteAddress'>): string | undefined {
  return peerSubject(socket.remoteAddress, UNCOUNTED);
}

interface AddressPlaces {
  /** Takes a place, until the connection is closed. @returns false where its address holds as many as it may */
  take(socket: Pick<Socket, 'remoteAddress' | 'once'>): boolean;
}

/** @param most connections of one address at a time */
export function addressPlaces(most: number): AddressPlaces {
  const held = new Map<string, number>();
  return {
    take(socket) {
      const address = countedAddress(socket);
      if (address === undefined) return true;
      const count = held.get(address) ?? 0;
      if (count >= most) return false;
      held.set(address, count + 1);
      socket.once('close', () => {
        const left = (held.get(address) ?? 1) - 1;
        if (left > 0) held.set(address, left);
        else held.delete(address);
      });
      return true;
    },
  };
}
