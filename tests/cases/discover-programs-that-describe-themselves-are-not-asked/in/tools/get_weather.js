/**
 * Get the weather of a place.
 * @typedef {Object} Args
 * @property {string} location - The place
 * @param {Args} args
 */
exports.run = function ({ location }) {
  return fetch(`https://weather.example/${location}`);
};
