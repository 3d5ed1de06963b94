export const run = () => 'stay'
