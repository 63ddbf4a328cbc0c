import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style-nonce.ts'
import './styles.css'
import { App } from './app.tsx'
import { startTexts } from './i18n/i18n.ts'

await startTexts()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
