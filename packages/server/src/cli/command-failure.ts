// An error that the user can fix. Only its message is printed.

export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** An error in a file. The message starts with FILE:LINE, in the format that compilers use, so code editors can jump to the line. */
export class FileFailure extends CommandFailure {
  override readonly name = 'FileFailure';
}
