export const run = () => 'leave'
