import { customFs } from "./customFs.suite";
import { describeAgainstModel } from "./fileSystemModel.suite";
import { forkFs } from "./forkFs";
import { tempFs } from "./tempFs";

describeAgainstModel("forkFs over tempFs", (files) => forkFs(tempFs(files)));
describeAgainstModel("forkFs over a custom tree", (files) => forkFs(customFs(files)));
