/** What is shown in the place of a dashboard that has not been built. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Trackpress</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The server runs, and so does its API; the pages of the dashboard are missing.
Build them in the folder of the program and load this page again:</p>
<pre>npm install
node scripts/build-web.ts</pre>
</body>
</html>
`
