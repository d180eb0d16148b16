'use strict';

/** The entry for `require`: there is one library, an ES module, which Node can require since 20.19. */
try {
  module.exports = require('./lib/index.js');
} catch (error) {
  if (error?.code !== 'ERR_REQUIRE_ESM') throw error;
  const { name, engines } = require('./package.json');
  throw new Error(`${name} needs Node ${engines.node}; this is ${process.versions.node}`);
}
