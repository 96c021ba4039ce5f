// For threads that handle megabytes now and then: V8 would let the texts of several turns lie around before it looks for what died.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

export const collectGarbage: () => void = runInNewContext('gc');
