// The table of all routes of the management API: its index.

import { ACCOUNT_ROUTES } from './account/account-routes.ts';
import type { Route } from './route.ts';

export const MANAGEMENT_ROUTES: readonly Route[] = [...ACCOUNT_ROUTES];
