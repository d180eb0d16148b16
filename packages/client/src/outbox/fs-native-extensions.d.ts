/** The part of the package that is used; it comes without types. */
declare module 'fs-native-extensions' {
  /**
   * Locks the open file, exclusively unless `shared`, or returns false when another open file has a lock that forbids it.
   * Throws where files have no locks.
   */
  export function tryLock(descriptor: number, options?: { readonly shared?: boolean }): boolean;
}
