import { createServer, type RequestListener, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type FetchSeams, fetchRemote, RemoteFileError } from './fetch-remote.ts';
import { isPublicAddress } from './public-address.ts';

const LIMITS = { mostBytes: 1000, mostMs: 60_000 };
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Lets tests reach their own server, but no other machine. */
const LOCAL: FetchSeams = { isAllowed: (address) => address === '127.0.0.1' };

/** A name server that gives these answers in turn, and then repeats the last one. */
function answer(...answers: readonly (readonly string[])[]): NonNullable<FetchSeams['lookUp']> {
  let asked = 0;
  return (_host, _options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

async function fetchCode(address: string, seams: FetchSeams = {}, limits = LIMITS): Promise<string> {
  const fetched = await fetchRemote(address, limits, seams);
  if (!fetched.ok) return fetched.problem.code;
  try {
    return (await buffer(fetched.value.bytes)).toString();
  } catch (error) {
    return error instanceof RemoteFileError ? error.problem.code : 'another error';
  }
}

test('fetches a file and its name', async () => {
  const port = await serve((request, response) => {
    response.end(`${request.method} ${request.url} ${request.headers['accept-encoding']}`);
  });
  const fetched = await fetchRemote(`http://127.0.0.1:${port}/a/Gr%C3%BC%C3%9Fe.jpg?x=1`, LIMITS, LOCAL);
  if (!fetched.ok) throw new Error(fetched.problem.message);
  expect(fetched.value.name).toBe('Grüße.jpg');
  expect((await buffer(fetched.value.bytes)).toString()).toBe('GET /a/Gr%C3%BC%C3%9Fe.jpg?x=1 identity');
});

test.each([
  'nonsense',
  '//127.0.0.1/a',
  'ftp://example.com/a',
  'file:///etc/passwd',
  'data:text/plain,a',
  'javascript:alert(1)',
  'http://user:secret@example.com/',
])('%s is refused as an address', async (address) => {
  expect(await fetchCode(address)).toBe('invalid_url');
});

describe('private addresses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1:8080/',
    'https://192.168.0.1/',
    'http://localhost/',
  ])('%s is refused', async (address) => {
    expect(await fetchCode(address)).toBe('private_address');
  });

  test('a host name that resolves to a private address is refused before any connection is made', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const lookUp = answer(['127.0.0.1']);
    expect(await fetchCode(`http://images.example:${port}/`, { lookUp })).toBe('private_address');
    expect(requests).toBe(0);
  });

  test('a host name that resolves to a public and a private address is refused', async () => {
    const lookUp = answer(['8.8.8.8', '10.0.0.1']);
    expect(await fetchCode('http://images.example/', { lookUp })).toBe('private_address');
    expect(await fetchCode('http://images.example/', { lookUp: answer([]) })).toBe('private_address');
  });

  test('a host name is resolved once for each connection, so a later DNS answer has no effect', async () => {
    const port = await serve((_request, response) => response.end('ours'));
    const lookUp = answer(['127.0.0.1'], ['169.254.169.254']);
    expect(await fetchCode(`http://images.example:${port}/`, { ...LOCAL, lookUp })).toBe('ours');
  });

  test('a redirect to a private address is refused', async () => {
    for (const target of ['http://169.254.169.254/', 'http://[::1]/', '//10.0.0.1/a']) {
      const port = await serve((_request, response) => response.writeHead(302, { location: target }).end());
      expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('private_address');
    }
  });

  test('a redirect to a host name that now resolves to a private address is refused', async () => {
    const port = await serve((_request, response) => response.writeHead(302, { location: '/again' }).end());
    const lookUp = answer(['127.0.0.1'], ['10.0.0.1']);
    expect(await fetchCode(`http://images.example:${port}/`, { ...LOCAL, lookUp })).toBe('private_address');
  });

  test('a redirect to a URL that is not a web address is refused', async () => {
    const port = await serve((_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('invalid_url');
  });

  test('the address that these tests allow is not public', () => {
    expect(isPublicAddress('127.0.0.1')).toBe(false);
  });
});

describe('redirects', () => {
  function countDown(): RequestListener {
    return (request, response) => {
      const left = Number((request.url ?? '').slice(1));
      if (left === 0) response.end('here');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    };
  }

  test('are followed up to five times', async () => {
    const port = await serve(countDown());
    expect(await fetchCode(`http://127.0.0.1:${port}/5`, LOCAL)).toBe('here');
    expect(await fetchCode(`http://127.0.0.1:${port}/6`, LOCAL)).toBe('too_many_redirects');
  });
});

describe('limits', () => {
  test('status 101 is refused, because the request did not ask for an upgrade', async () => {
    const port = await serve((_request, response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('unreachable');
  });

  test.each([200, 404, 204, 206, 500, 304])('only status 200 is accepted: %d', async (status) => {
    const port = await serve((_request, response) => response.writeHead(status).end());
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe(status === 200 ? '' : 'status');
  });

  test('a file is not read if its Content-Length is too large', async () => {
    const port = await serve((_request, response) => response.writeHead(200, { 'content-length': 1001 }).write('a'));
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('too_large');
  });

  test('a file that turns out to be too large is not read to the end', async () => {
    const port = await serve((_request, response) => {
      const more = (): void => {
        while (response.write('a'.repeat(500)));
        response.once('drain', more);
      };
      more();
    });
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('too_large');
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL, { ...LIMITS, mostBytes: 100_000 })).toBe('too_large');
  });

  test('a file exactly at the limit is read', async () => {
    const port = await serve((_request, response) => response.end('a'.repeat(1000)));
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toHaveLength(1000);
  });

  test('gives up on a server that never responds', async () => {
    const port = await serve(() => {});
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL, { ...LIMITS, mostMs: 50 })).toBe('too_slow');
  });

  test('gives up on a server that sends data slowly', async () => {
    const port = await serve((_request, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL, { ...LIMITS, mostMs: 100 })).toBe('too_slow');
  });

  test('a lost connection is reported', async () => {
    const port = await serve((request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(() => request.socket.destroy());
    });
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('unreachable');
  });

  test('a server that does not exist is reported', async () => {
    const port = await serve(() => {});
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('unreachable');
  });

  test('a compressed response is refused, because its size is not that of the file', async () => {
    const port = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('a'));
    expect(await fetchCode(`http://127.0.0.1:${port}/`, LOCAL)).toBe('status');
  });
});
