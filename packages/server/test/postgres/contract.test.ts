import { describeStorageContract } from '../storage/storage-contract.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { TEMPLATE } from '../support/test-server.ts';

describeStorageContract('PostgreSQL', {
  createDatabase: () => createPostgresDatabase(TEMPLATE),
  createEmptyDatabase: () => createPostgresDatabase(),
});
