import { refuseFaults } from './authoring-refusal.ts';

/** Whoever deletes something for good names it twice, so that no slip deletes anything. */
export function refuseUnconfirmed(id: string, confirm: string | undefined): void {
  if (confirm === id) return;
  throw refuseFaults([{ path: 'confirm', message: `must be ${id} to delete it for good` }]);
}
