// In place of sodium-native/binding.js in the single binary.
module.exports = require('../../src/assets/addon.ts').loadAddon('sodium-native.node');
