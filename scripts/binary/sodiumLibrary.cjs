// In place of src/crypto/sodiumLibrary.ts in the single binary: the bundler puts the library's JavaScript in, and its
// addon is among the assets.
exports.sodiumLibrary = () => require('sodium-native');
