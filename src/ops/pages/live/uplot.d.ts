/** The listener serves the package's module under this name. */
export { default } from 'uplot';
