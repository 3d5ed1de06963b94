export const run = () => 'greet'
