/** The part of the package that is used; it comes without types. */
declare module 'fs-native-extensions' {
  /** Locks the open file exclusively, or returns false when another open file has the lock. Throws where files have no locks. */
  export function tryLock(descriptor: number): boolean;
}
