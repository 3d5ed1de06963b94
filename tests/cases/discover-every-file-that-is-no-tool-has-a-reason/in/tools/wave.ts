export const run = () => 'wave'
