
#!/bin/sh
cat
