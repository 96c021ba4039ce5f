import { describeStorageContract } from '../storage/storage-contract.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

describeStorageContract('PostgreSQL', () => createPostgresDatabase());
