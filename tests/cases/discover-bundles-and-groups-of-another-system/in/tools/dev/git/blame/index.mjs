export default async () => "nobody";
