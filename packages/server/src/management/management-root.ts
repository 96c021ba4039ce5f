/** Where the management API lies. */
export const MANAGEMENT_ROOT = '/manage/v1';
