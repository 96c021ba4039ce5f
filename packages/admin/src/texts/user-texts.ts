export const USER_TEXTS = {
  listTitle: 'Users',
  listText: 'Whoever can sign in to this account. Owners can do everything; editors work on content.',
  newTitle: 'New user',
  newText: 'Galley sends no mail: you hand the password over yourself.',
  create: 'Create user',
  toCreate: 'New user',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  roleHelp: {
    owner: 'Everything: also sites, keys, users and the audit log.',
    editor: 'Content, authors and assets of all sites.',
  },
  ownRole: 'Nobody can change their own role. Ask another owner.',
  state: 'State',
  states: { active: 'Active', suspended: 'Suspended' },
  lastSignIn: 'Last sign-in',
  createdAt: 'Created',
  you: 'You',
  password: 'Password',
  passwordHelp: 'At least 12 characters.',
  generate: 'Generate',
  profile: 'Profile',
  id: 'user ID',
  resetTitle: 'Password',
  resetIntro: 'A new password ends all sessions of this user.',
  newPassword: 'New password',
  reset: 'Set password',
  ownPasswordIntro: 'Changing it asks for your current one.',
  changeOwn: 'Change your password',
  accessTitle: 'Access',
  activeIntro:
    'Suspending ends all sessions and stops the management tokens that the user created. They can no longer sign in. What they did stays in the audit log.',
  suspendedIntro: 'This user cannot sign in.',
  suspend: 'Suspend user',
  suspendTitle: (name: string) => `Suspend ${name}?`,
  suspendText: 'All sessions of this user end at once. You can let them in again at any time.',
  stoppedTokens: (count: number) =>
    count === 1
      ? 'One management token that they created stops working until then.'
      : `${count} management tokens that they created stop working until then.`,
  demotedTokens: (count: number) =>
    count === 1
      ? 'One owner token that they created stops working.'
      : `${count} owner tokens that they created stop working.`,
  suspended: (name: string) => `${name} was suspended.`,
  reinstate: 'Let in again',
  reinstated: (name: string) => `${name} can sign in again.`,
  remove: 'Delete user',
  removeIntro: 'Deletes the user for good. What they did stays in the history, without their name.',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText:
    'All their sessions end at once, and so do the management tokens that they created. Versions and the audit log will show “Deleted user”. This cannot be undone.',
  removeOwnText:
    'You will be signed out, and the management tokens that you created stop working. Versions and the audit log will show “Deleted user” instead of your name. This cannot be undone.',
  removed: (name: string) => `${name} was deleted.`,
  doings: 'Show in the audit log',
  createdTitle: 'User created',
  resetDoneTitle: 'Password set',
  handOver: 'Hand this over now, in a way that you trust. The password cannot be shown again.',
  access: 'Sign-in',
  accessOf: (url: string, email: string, password: string) =>
    `Address:  ${url}\nEmail:    ${email}\nPassword: ${password}`,
  afterwards: 'They can change the password once they have signed in.',
  done: 'Done',
} as const;
