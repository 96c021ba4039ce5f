// What all who show a password or the set-up token meet: how fast they may try, the devices that are known, and the record
// of failures.

import type { Logger } from 'pino';
import type { Desk } from '../../authoring/desk.ts';
import { FailedSignIns } from '../../authoring/people/failed-sign-ins.ts';
import { KnownDevices } from './known-device.ts';
import { PasswordThrottle, Tries, WINDOW } from './password-throttle.ts';

const SET_UP_TRIES = 10;

export interface Entrance {
  readonly throttle: PasswordThrottle;
  /** Wrong set-up tokens, by address. */
  readonly setUpTries: Tries;
  readonly devices: KnownDevices;
  readonly failures: FailedSignIns;
}

export function openEntrance({ storage, now, randomBytes }: Desk, log: Logger): Entrance {
  return {
    throttle: new PasswordThrottle(),
    setUpTries: new Tries({ ...WINDOW, name: 'address', tries: SET_UP_TRIES }),
    devices: new KnownDevices(storage.deriveKey('known devices'), randomBytes),
    failures: new FailedSignIns({ storage, now, log }),
  };
}
