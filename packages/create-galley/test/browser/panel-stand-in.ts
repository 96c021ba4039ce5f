// Stands in for the panel: a page that shows a draft in a frame and exchanges messages with it.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';

const PAGE = `<!doctype html>
  <iframe width="900" height="600"></iframe>
  <script>
    const shown = new URL(new URLSearchParams(location.search).get('show'));
    window.received = [];
    addEventListener('message', ({ data, origin }) => origin === shown.origin && received.push(data));
    window.send = async (message) => {
      const loaded = new Promise((resolve) => addEventListener('message', ({ data }) => data === 'loaded' && resolve()));
      const start = performance.now();
      frames[0].postMessage(message, shown.origin);
      await loaded;
      return performance.now() - start;
    };
    document.querySelector('iframe').src = shown;
  </script>`;

/** Stops when this object goes out of scope. */
export interface PanelStandIn extends AsyncDisposable {
  readonly url: string;
}

export async function startPanelStandIn(): Promise<PanelStandIn> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Opens the panel, and waits until the page in its frame has announced itself. */
export async function showInPanel(panel: Page, panelUrl: string, draftUrl: string): Promise<FrameLocator> {
  await panel.goto(`${panelUrl}/?${new URLSearchParams({ show: draftUrl })}`);
  await panel.waitForFunction("received.includes('loaded')");
  return panel.frameLocator('iframe');
}

/** @returns the milliseconds until the page in the frame reported that it shows the change */
export function sendToFrame(panel: Page, message: object): Promise<number> {
  return panel.evaluate<number>(`send(${JSON.stringify(message)})`);
}
