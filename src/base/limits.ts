/**
 * Every limit, timeout and cap of the product, each with its unit and its reason. A number that decides when something
 * is cut, refused or given up belongs here and nowhere else.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const limits = {
  /** Lines `Read` shows when the model names no limit: a screenful for a model, few enough to page. */
  readLines: 2_000,
  /** Characters of one line `Read` shows: minified files have one endless line. */
  readLineCharacters: 2_000,
  /** Bytes `Read` shows in all: about 12,000 tokens. */
  readBytes: 50 * KIB,
  /** Bytes of an image `Read` shows: model APIs refuse larger ones. */
  readImageBytes: 5 * MIB,
  /** Hits `Grep` shows when the model names no `headLimit`. */
  grepHits: 250,
  /** Characters of one matching line `Grep` shows: minified files again. */
  grepLineCharacters: 2_000,
  /** Bytes of lines `Grep` shows in all: hits of long lines fill a model's window before they reach their number. */
  grepBytes: 128 * KIB,
  /** Hits `Grep` counts past its page before it says "at least": a pattern that hits every line would count for ever. */
  grepCountedHits: 10_000,
  /** Hits `Grep` holds in memory to sort them by something else than their path. */
  grepHeldHits: 100_000,
  /** Paths `Glob` shows. */
  globPaths: 500,
  /** Entries `LS` shows before it cuts directories down to counts by extension. */
  listEntries: 500,
  /** Extensions `LS` names for a directory it cut before the rest are summed: more than these tell nothing. */
  listExtensions: 8,
  /** Bytes of a file past which the search index leaves it out: such files are made by machines. */
  searchFileBytes: 512 * KIB,
  /** Passages `SemanticSearch` shows when the model names no `numResults`. */
  searchResults: 10,
  /** Bytes of a command's output kept in head and tail together. */
  shellOutputBytes: 32 * KIB,
  /** Bytes of a command's output that are kept in a file when it is long: past it nobody reads on, and the disk is for more. */
  shellSpillBytes: 256 * MIB,
  /** Bytes of output gathered before a browser is given them to keep out of the page's memory. */
  shellBlobBytes: MIB,
  /** Milliseconds a host gets to become ready: past it a person is told why, and offered the other one. */
  hostBootMs: 30_000,
  /** Milliseconds a command runs when nobody names a timeout: as long as a build or a test run may take. */
  shellTimeoutMs: 120_000,
  /** Milliseconds that are no timeout any more: what a timer can count, 24 days. */
  shellLongestTimeoutMs: 2_147_483_647,
  /** Milliseconds the frame of WebContainer may be silent after it loaded: an error page loads, too, and never speaks. */
  hostSilenceMs: 10_000,
  /** Milliseconds a process gets to end when it is told to, before the host says that it does not. */
  hostKillMs: 2_000,
  /** Milliseconds the last output of a process may come after its end. */
  hostOutputEndMs: 500,
  /** Milliseconds a project that is closed waits for its host's files. */
  hostFlushMs: 5_000,
  /** Milliseconds the files of a project may take into WebContainer or back: thousands of files take seconds. */
  hostMirrorMs: 60_000,
  /** Files written into WebContainer at the same time: each is a message and its answer. */
  hostWritesAtOnce: 16,
  /** Bytes of a file of long output that goes into WebContainer for commands to read: file tools read the larger ones. */
  hostOutputFileBytes: 8 * MIB,
  /** Characters of what another's software said that are shown as the reason of a failure. */
  hostReasonCharacters: 300,
  /** Milliseconds a command that is to end gets to end by itself before its worker is terminated. */
  shellKillGraceMs: 1_000,
  /** Milliseconds after a file was stored in which the next write of it waits for others: a loop that appends line by line. */
  shellQuickWriteMs: 20,
  /** Milliseconds for which such writes wait at most until they are stored. */
  shellWriteDelayMs: 50,
  /** Steps (loops, commands, elements) of one command of the shell: its time is what ends it, this only what its package asks for. */
  shellSteps: 100_000_000,
  /** Bytes of one text inside the shell, which has no streams: two of them fit into a tab. */
  shellTextBytes: 256 * MIB,
  /** Bytes after which a command without end (`yes`) ends by itself: whoever reads it takes less. */
  shellEndlessBytes: 100 * MIB,
  /** Bytes of one answer `curl` reads in the shell, which holds it whole. */
  shellDownloadBytes: 100 * MIB,
  /** Milliseconds between two words of a command's output that are told while it runs: each is an event of the log. */
  shellReportMs: 500,
  /** Characters of each stream told with such a word: what fits a screen. */
  shellReportCharacters: 4_000,
  /** Commands the terminal shows; older ones go. */
  terminalBlocks: 200,
  /** Commands the terminal remembers. */
  terminalHistory: 200,
  /** Milliseconds git takes to compare two texts before it tells them as one that goes and one that comes. */
  gitDiffMs: 5_000,
  /** Bytes of memory a script of the lite Node may take: a page has a few of these. */
  nodeMemoryBytes: 256 * MIB,
  /** Bytes of its stack: deep enough for a recursion of thousands, far from the engine's own. */
  nodeStackBytes: 512 * KIB,
  /** Milliseconds before a command's deadline at which a script is ended, so that what it said is still told. */
  nodeStopBeforeMs: 250,
  /** Bytes of the files a script's `fs` and `require`, or Python, may see of the project: all of it is copied to them. */
  interpreterDiskBytes: 256 * MIB,
  /** Files of the project that are copied so. */
  interpreterDiskFiles: 20_000,
  /** Characters of one command's output the terminal holds: a page of it is some thousands. */
  terminalCharacters: 200_000,
  /** Bytes of text a web tool shows in line; more goes into a file. A page of documentation is often under it. */
  webInlineBytes: 32 * KIB,
  /** Bytes of one answer of the web that are read: past it there is no page to read, but a download. */
  webAnswerBytes: 5 * MIB,
  /** Milliseconds an address of the web gets to answer whole. */
  webRequestMs: 30_000,
  /** Bytes at the beginning of a page in which it may say how it is encoded: what browsers look at. */
  webSniffedBytes: KIB,
  /** Characters of a page that are parsed at once: a few milliseconds. */
  webParsedCharacters: 32 * KIB,
  /** Milliseconds an MCP server gets to say who it is and what tools it has. */
  mcpConnectMs: 20_000,
  /** Milliseconds a run waits for MCP servers that have not answered yet: a person has just sent a message. */
  mcpRunWaitMs: 5_000,
  /** Milliseconds a tool of an MCP server may be silent: each word of its progress begins them anew. */
  mcpCallMs: 60_000,
  /** Milliseconds a tool of an MCP server may take, whatever it says meanwhile. */
  mcpCallTotalMs: 900_000,
  /** Milliseconds between two words of a tool's progress that are passed on: each is an event of the log. */
  mcpProgressMs: 500,
  /** Tools of one MCP server that are taken: every one is told to the model with each request. */
  mcpTools: 200,
  /** Characters of what an MCP server says of one of its tools. */
  mcpDescriptionCharacters: 4_000,
  /** Bytes of text of an MCP tool's result that a model reads: as much as of a file. */
  mcpTextBytes: 50 * KIB,
  /** Milliseconds a person gets to sign in somewhere else. */
  signInMs: 300_000,
  /** Results of a web search that are shown. */
  webSearchResults: 10,
  /** Characters of what a web search says of one result. */
  webSnippetCharacters: 1_000,

  /** Milliseconds a tool works on results that are already there before it lets the event loop have a turn. */
  workSliceMs: 8,
  /** Edits after which a line diff is given up for "all of it replaced": past it the search takes seconds. */
  diffEdits: 4_000,

  /** Steps of one turn when the agent names no `maxSteps`: a loop that has lost its way ends here. */
  turnSteps: 50,
  /** Steps of one turn a person may allow in the message box: past it, a slip of the finger is likelier than a wish. */
  askedSteps: 1_000,
  /** Tool calls of one step that run at the same time: enough to overlap waits, few enough to stop at once. */
  parallelCalls: 8,
  /** Milliseconds a stopped call gets for a write under way, so that its result comes after it. */
  stopGraceMs: 1_000,
  /** Milliseconds a model stream may be silent before it counts as stalled. */
  modelStallMs: 120_000,
  /** Attempts of one model call, the first included. */
  modelAttempts: 5,
  /** Milliseconds before the second attempt; doubled each time. */
  modelRetryBaseMs: 1_000,
  /** Longest wait between two attempts in milliseconds, whatever the server asks: a person is watching. */
  modelRetryMaxMs: 60_000,
  /** Milliseconds a connection test waits for each of its steps. */
  connectionTestMs: 15_000,
  /** How long after a failed request the browser's report of an answer it hid may come. */
  hiddenAnswerReportMs: 500,
  /** Characters from which a key is taken for a secret and scrubbed: shorter ones are placeholders such as `ollama`. */
  scrubbedKeyCharacters: 8,
  /** Bytes of a failed response's body that are read for its message: the rest says no more. */
  modelErrorBytes: 64 * KIB,
  /** Files the demo planner reads or changes for one request: a person watches, and the turn has its own step limit. */
  demoFiles: 40,
  /** Files the demo planner has Grep count in: a count must be whole, and one is a short line. */
  demoCountedFiles: 10_000,

  /** Files a call has changed whose contents are kept at the same time: each is a write of its own, and held while it lasts. */
  keptTogetherFiles: 32,
  /** Milliseconds events wait to be written together when no animation frame comes first (a hidden tab has none). */
  logBatchMs: 50,
  /** Characters of one stored record of a log: what a reader takes at least. */
  logBatchBytes: 256 * KIB,
  /** Events of one stored record of a log. */
  logBatchEvents: 1_000,
  /** Characters of a log read at a time, about: parsed in a few milliseconds, between which others get a turn. */
  logPageCharacters: 512 * KIB,
  /** Records of a log read at a time at most: those of a session that was recorded here are small and many. */
  logPageBatches: 256,
  /** Events up to which all of a session is held while it is looked at. */
  replayWholeEvents: 4_096,
  /** Characters of its log up to which it is. */
  replayWholeCharacters: 8 * MIB,
  /** Events of a longer session after which the fold can go on: what is folded before a place in it can be shown. */
  replaySegmentEvents: 1_024,
  /** Characters of its log after which it can: a segment of long outputs has fewer events. */
  replaySegmentCharacters: MIB,
  /** Segments of a long session held in memory. */
  replayHeldSegments: 12,
  /** Events at the end of a long session that are shown before the rest of it was read. */
  replayTailEvents: 512,
  /** Events around the place that is shown to which a drag is followed frame by frame: further ones share nothing with it. */
  replayNearEvents: 64,
  /** Frames a drag through further ones rests before what is there is shown: less than a glance. */
  replayRestFrames: 6,
  /** Bytes from which a value in an event is stored once by its hash and referenced. */
  largeValueBytes: 64 * KIB,
  /** Bytes of one line a log reader parses: past it the line is kept raw with a warning. */
  logLineBytes: 8 * MIB,
  /** Levels of nesting a value of an imported file keeps: recordings have a dozen, and past thousands nothing writes them. */
  importValueDepth: 200,
  /** Characters of a large value that stay in its event beside the reference: what a list shows of it. */
  importValueHeadCharacters: 2_000,
  /** Bytes of one document of an import that is parsed whole: past it the text alone fills a tab. */
  importDocumentBytes: 256 * MIB,
  /** Bytes of a file's beginning in which its format is looked for. */
  importProbeBytes: 64 * KIB,
  /** Values of a file's beginning in which its format is looked for: before the first message may stand dozens of others. */
  importProbeRecords: 50,
  /** Bytes up to which an imported file is hashed at once: ten times faster than piece by piece, and all of it in memory. */
  importHashedBytes: 128 * MIB,
  /** Bytes of an import that are read before its progress is told again and others get a turn. */
  importProgressBytes: 256 * KIB,
  /** Warnings of an import its notice lists: the rest is where the session says what it comes from. */
  importNoticeLines: 50,
  /** Lines of a message or a result the command line shows of a session: a turn stays on the screen. */
  trajectoryTextLines: 6,
  /** Characters of one of these lines. */
  trajectoryTextCharacters: 200,

  /** Bytes of an import's contents gathered into one stored pack: balances one read against many (docs/storage.md). */
  packBytes: 120 * KIB,
  /** Buffers of a pack's size kept to be filled again: those of two batches of an import. */
  packBuffers: 64,
  /** Bytes of one stored piece of a large file. */
  chunkBytes: MIB,
  /** Bytes of packs read ahead at a time for whoever reads one after the other. */
  readAheadBytes: 2 * MIB,
  /** Bytes of the contents of one commit that may lie in its log record: past it they are stored on their own. */
  heldContentBytes: 8 * KIB,
  /** Log records of a tree after which a checkpoint is written. */
  checkpointLogRecords: 500,
  /** Bytes of log records of a tree after which a checkpoint is written: they are read whenever the tree is opened. */
  checkpointLogBytes: 512 * KIB,
  /** Milliseconds of quiet before a checkpoint is written: whoever waits for a write must not wait for it too. */
  checkpointDelayMs: 500,
  /** Milliseconds in which hints to other tabs are gathered: a message costs a tenth of a write, and one says it all. */
  hintDelayMs: 50,
  /** Share of a pack that must be live, below which it is written anew. */
  repackLiveShare: 0.5,
  /** Milliseconds after a project was opened before its storage is cleaned up: opening comes first. */
  sweepDelayMs: 10_000,
  /** Attempts of one clean-up of the storage before it gives way to whoever keeps writing. */
  sweepAttempts: 5,
  /** Milliseconds for which a clean-up keeps what left a tree: as long as that can be undone (`undoMs`), and a moment. */
  droppedKeptMs: 13_000,
  /** Milliseconds before room is made again for writes that find none: each time reads all there is. */
  makeRoomMs: 5_000,
  /** Bytes kept in reserve, so that a deletion can be written when the quota is gone. */
  quotaReserveBytes: MIB,
  /** Bytes of file contents a tree keeps in memory. */
  contentCacheBytes: 64 * MIB,
  /** Milliseconds after another tab's word until it is looked whether a newer version wrote it: many words, one look. */
  troubleLookMs: 1_000,
  /** Attempts to open a database that the browser ends by itself, the first included: while it clears a site, it does. */
  databaseAttempts: 10,
  /** Milliseconds between two of them. */
  databaseRetryMs: 200,
  /** Milliseconds to wait for another tab to let go of a database before saying so. */
  databaseBlockedMs: 5_000,

  /** Bytes of one imported or uploaded file: past it a browser cannot hold it in one value safely. */
  importFileBytes: 100 * MIB,
  /** Bytes of all files of one import. */
  importTotalBytes: 1_024 * MIB,
  /** Files of one import. */
  importFiles: 200_000,
  /** Files of an import that are stored as one: few enough to show progress, enough that the commit costs little. */
  importBatchFiles: 1_000,
  /** Bytes of an import that are stored as one: what may be in memory twice. */
  importBatchBytes: 32 * MIB,
  /** Files read at a time where many are read: past it nothing is gained by asking for more at once. */
  readAheadItems: 64,
  /** Bytes of files read at a time where many are read: what may wait in memory for its turn. */
  readAheadItemBytes: 16 * MIB,
  /** Bytes of a directory recorded calls are run again on: it is copied into memory. */
  reexecutionTreeBytes: 512 * MIB,
  /** Warnings an import lists one by one: past it they only say that the file is broken. */
  importWarnings: 1_000,
  /** Sessions changed or deleted in one transaction: one of some milliseconds, between two of which a page draws and listens. */
  sessionsAtOnce: 32,
  /** Milliseconds between two looks at the list of sessions while an import writes some: each reads all their records. */
  importListMs: 1_000,
  /** Bytes of one path segment, as on the usual file systems. */
  nameBytes: 255,
  /** Bytes a file may have to open in the editor; larger ones get the plain view. */
  editorBytes: 5 * MIB,
  /** Skills of the mounts that are told to the model and listed: more names than that are no help in choosing. */
  skills: 200,
  /** Bytes of a `SKILL.md` that is read for its name and description; of a larger one only the path is told. */
  skillBytes: 256 * KIB,
  /** Characters of a skill's description that are told: a page of text there would stand in every request. */
  skillDescriptionCharacters: 1_024,
  /** Steps back in the agent definition, over its form and its text: each holds a text of a few kilobytes. */
  agentUndoSteps: 200,
  /** Bytes of a file the plain view shows. */
  plainViewBytes: 256 * KIB,

  /** File types an unknown one's error names: all of them, some two hundred, would fill a model's answer. */
  nearestFileTypes: 3,
  /** Expansions of one brace pattern: more is an attack or a mistake. */
  globBraceExpansions: 1_000,
  /** Milliseconds one grep may spend on one file before its pattern is given up: a pattern can run for ever. */
  grepFileBudgetMs: 5_000,
  /** Characters of files that share one budget where a search is in place: many small files can run for ever as one can. */
  grepBudgetCharacters: 1_000_000,
  /** Hits a step of a search that can be ended gathers: watching over a step costs about as much as finding so many. */
  grepWatchedHits: 256,
  /** Milliseconds the search worker may say nothing before it is given up: a question most passages answer takes seconds. */
  searchSilenceMs: 60_000,
  /** Bytes of a tree from which grep leaves the calling thread for workers. */
  grepWorkerBytes: 256 * KIB,
  /** Workers that hold texts and search them. */
  grepWorkers: 2,
  /** Bytes of decoded text the workers hold; past it they scan as they read. */
  grepHeldTextBytes: 256 * MIB,

  /** Reads next to each other that fold to one line of the chat: fewer read better as they are. */
  chatGroupCalls: 6,
  /** Sessions of one imported file that are listed one by one: more of them would bury all others. */
  unfoldedFileSessions: 12,
  /** Lines of a call's output or difference shown at once; the rest opens on request. */
  outputPreviewLines: 200,
  /** Characters of one line of a call's output that are laid out: minified files again. */
  outputLineCharacters: 2_000,
  /** Characters of each side of a difference in a divergence report: what a person reads at a glance. */
  divergenceExcerptCharacters: 2_000,
  /** Characters of a session in the fragment of an address: programs that pass addresses on cut longer ones. */
  linkFragmentCharacters: 32_000,
  /** Bytes of a saved session a person may import. */
  importSessionBytes: 500 * MIB,

  /** Requests to one store at the same time: what a browser sends to one host before it queues them itself. */
  hostRequests: 6,
  /** Milliseconds a store gets to answer what takes it no time: a listing, a look, a deletion. */
  hostAnswerMs: 30_000,
  /** Attempts of one request that a store asks to have repeated, the first included. */
  hostAttempts: 6,
  /** Milliseconds before such a request is repeated for the first time; doubled each time. */
  hostRetryBaseMs: 50,
  /** Files of a folder or store that is mounted: past it a person mounts a folder of it. */
  mirrorFiles: 200_000,
  /** Bytes of a file of a folder or store up to which its contents are kept when it is read or about to be changed. */
  mirrorKeptBytes: 16 * MIB,
  /** Contents of one path of which a mirror remembers that it has seen them: an edit and its undo are two. */
  mirrorKnownContents: 8,
  /** Times a folder or store is listed anew because it was changed from here meanwhile. */
  mirrorListings: 4,
  /** Files a search of a folder or store reads at most before it searches only what was read: six requests at a time take half a minute. */
  mirrorSearchFiles: 2_000,
  /** Bytes of such files: they are all held while the index is made. */
  mirrorSearchBytes: 32 * MIB,
  /** Milliseconds of quiet before a mirror keeps what it has seen last. */
  mirrorKeepDelayMs: 500,
  /** Milliseconds between two looks for changes elsewhere that nobody asked for: some stores count requests. */
  mirrorLookMs: 5_000,
  /** Milliseconds for which a look is new enough for a run that begins. */
  mirrorLookBeforeRunAgainMs: 500,
  /** Milliseconds a run waits for folders and stores to be looked at before it begins with what is known. */
  mirrorLookBeforeRunMs: 10_000,
  /** Files grep fetches together from a tree that is read file by file. */
  walkedGrepFiles: 64,
  /** Bytes of files grep fetches together from such a tree. */
  walkedGrepBytes: 8 * MIB,
  /** Bytes of a registry's description of a package that are read: one version's is a few KiB. */
  packageDescriptionBytes: 4 * MIB,
  /** Bytes of a tar's own records (long names, pax) that are read: names are short. */
  tarRecordBytes: MIB,

  /** Paths "Go to file" shows: a person types on rather than scrolls. */
  rankedPaths: 50,
  /** Lines "Find in files" holds: past it a person narrows the pattern rather than reads on. */
  foundLines: 5_000,
  /** Characters of one found line: minified files again. */
  foundLineCharacters: 400,
  /** Lines of a text shown while the editor is on its way: more than a screen holds. */
  plainTextLines: 200,
  /** Bytes of a binary file shown as hex: 256 rows. */
  hexBytes: 4 * KIB,
  /** Changed files the menu of changes lists; the tree marks them all. */
  listedChanges: 20,
  /** Places in a session a search holds; it goes on counting. Past them a person types on rather than reads. */
  replayHits: 2_000,
  /** Events of an import that are gone through for the files it began with before it is shown: a second at most. */
  replayEvidenceEvents: 20_000,
  /** Subagents whose own lines are read for the lanes of a session: more are not told apart on a screen. */
  replayLanes: 40,
  /** Milliseconds an offer to undo stands: long enough to notice the slip, short enough not to be in the way. */
  undoMs: 12_000,

  /** Milliseconds between two looks whether the tab that ran a session has let it go: browsers tell nobody. */
  lockPollMs: 3_000,
  /** Repeats a person may plan for a comparison: each costs as much as the first, more is a slip of the finger. */
  compareRepeats: 50,
  /** Runs of a comparison that may go on at the same time. */
  compareConcurrency: 16,
} as const;
