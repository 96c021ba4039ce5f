import { describeStorageContract } from '../storage/storage-contract.ts';
import { createPostgresDatabase, TEMPLATE } from '../support/test-database.ts';

describeStorageContract('PostgreSQL', {
  createDatabase: () => createPostgresDatabase(TEMPLATE),
  createEmptyDatabase: () => createPostgresDatabase(),
});
