// The reader in a folder. Its answers must be in place before it starts.
import './document/offline-answers.ts'
import './reader.ts'
