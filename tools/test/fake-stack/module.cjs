// The fake of a process's modules, which are loaded before its settings arrive.
globalThis.variablesAtLoad = Object.keys(process.env);
console.log('loaded');
