"""What changed between two toolsets, and what that does to callers, hosts and trust: two sides go in, findings come
out. Nothing here reads the disk, asks git or prints."""
