/** What was asked cannot be done, through no fault of the service; the message is for the person who asked. */
export class AuthoringRefusal extends Error {
  override readonly name = 'AuthoringRefusal';
}
