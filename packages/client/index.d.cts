/**
 * The types for `require`. A CommonJS file may not re-export the values of an ES module under `module: node16`, so each
 * is declared here by its type there.
 */
import type * as library from './lib/index.js' with { 'resolution-mode': 'import' };

export type * from './lib/index.js' with { 'resolution-mode': 'import' };

export declare const buildBasket: typeof library.buildBasket;
export declare const CALL_LIMITS: typeof library.CALL_LIMITS;
export declare const cancelledEventOf: typeof library.cancelledEventOf;
export declare const decideWithoutCall: typeof library.decideWithoutCall;
export declare const FileStore: typeof library.FileStore;
export type FileStore = library.FileStore;
export declare const LoyaltyClient: typeof library.LoyaltyClient;
export type LoyaltyClient = library.LoyaltyClient;
export declare const memoryStore: typeof library.memoryStore;
export declare const multiplyQuantity: typeof library.multiplyQuantity;
export declare const percentOf: typeof library.percentOf;
export declare const printoutOf: typeof library.printoutOf;
export declare const SALE_BACKOFF: typeof library.SALE_BACKOFF;
export declare const saleEventOf: typeof library.saleEventOf;
export declare const splitLine: typeof library.splitLine;
export declare const swapBasket: typeof library.swapBasket;
