// The thread that cleans HTML while the service goes on.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { sanitiseHtml } from './contents/sanitise-html.ts';

if (parentPort === null) throw new Error('Not a thread of its own');
const port = parentPort;
// On Linux a thread has a priority of its own; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(5);
port.on('message', (text: string) => port.postMessage(sanitiseHtml(text)));
