import fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerAdmin } from './register-admin.ts';

test('explains how to build the panel if it has not been built', async () => {
  const server = fastify();
  registerAdmin(server, {
    folder: '/nowhere',
    headerPrefix: 'X-SERVICE',
    publicUrl: null,
    findFrameOrigins: async () => [],
  });
  const response = await server.inject('/admin');
  expect(response.statusCode).toBe(503);
  expect(response.body).toContain('npm run build:panel');
  await server.close();
});
