// The thread that cleans HTML while the service goes on.

import { parentPort } from 'node:worker_threads';
import { sanitiseHtml } from './contents/sanitise-html.ts';

if (parentPort === null) throw new Error('Not a thread of its own');
const port = parentPort;
port.on('message', (text: string) => port.postMessage(sanitiseHtml(text)));
