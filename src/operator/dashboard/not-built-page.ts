/** Shown instead of the dashboard until it is built. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Trackpress</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The server and its API are running, but the pages of the dashboard are missing.
Build them in the program's folder, then reload this page:</p>
<pre>npm install
node scripts/build-web.ts</pre>
</body>
</html>
`
